// The keyboard, and the two questions that are asked in a dialog.

const LETTERS = "prompts_app:letters";

export function begin(page) {
  const { form } = page;
  const list = document.getElementById("prompts-listing");
  const help = document.getElementById("prompts-keyboard");
  const question = document.getElementById("prompts-discard");
  const switcher = help.querySelector("[data-letters]");

  const FIELDS = "input, textarea, select, prompts-text";

  const stops = () =>
    [...list.querySelectorAll("summary, [data-row] > :is(a, button)")].filter((one) => one.checkVisibility());

  // The list is one tab stop; arrows move inside it.
  function oneTabStop() {
    const all = [...list.querySelectorAll("summary, [data-row] > :is(a, button)")];
    const current = all.find((one) => one.hasAttribute("aria-current")) ?? all[0];
    for (const one of all) {
      one.tabIndex = one === current ? 0 : -1;
    }
  }

  function move(to) {
    if (to) {
      for (const one of list.querySelectorAll('[tabindex="0"]')) {
        one.tabIndex = -1;
      }
      to.tabIndex = 0;
      to.focus();
    }
  }

  function fold(stop, isOpen) {
    const group = stop.closest("details");
    group.open = isOpen;
    if (!isOpen) {
      move(group.querySelector("summary"));
    }
  }

  function inList(event) {
    const all = stops();
    const at = all.indexOf(document.activeElement);
    const isRtl = getComputedStyle(list).direction === "rtl";
    const acts = {
      ArrowDown: () => move(all[at + 1]),
      ArrowUp: () => move(all[at - 1]),
      Home: () => move(all[0]),
      End: () => move(all.at(-1)),
      ArrowRight: () => fold(all[at], !isRtl),
      ArrowLeft: () => fold(all[at], isRtl),
    };
    if (at >= 0 && acts[event.key]) {
      event.preventDefault();
      acts[event.key]();
    }
  }

  function step(direction) {
    const editor = page.editorOf(page.current.value);
    const links = [...(editor?.querySelectorAll(".prompts-step [data-key]") ?? [])];
    const link = links.find((one) => one.dataset.step === direction);
    if (link) {
      page.open(link.dataset.key);
    }
  }

  function focusPart(part) {
    page.showPart(part);
    const targets = {
      list: list.querySelector('[tabindex="0"]'),
      editor: form.querySelector("[data-editor][data-current] textarea"),
      preview: form.querySelector(".prompts-prompt"),
    };
    (targets[part] ?? document.getElementById(`prompts-${part}`)).focus();
  }

  function compare() {
    const fold = form.querySelector("[data-editor][data-current] [data-comparison]");
    if (fold) {
      fold.open = !fold.open;
    }
  }

  const letters = {
    "/": () => {
      page.showPart("list");
      page.finding.field.focus();
    },
    l: () => focusPart("list"),
    e: () => focusPart("editor"),
    p: () => focusPart("preview"),
    c: compare,
    "?": () => help.showModal(),
  };

  function withModifier(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === "s") {
      const review = form.querySelector("[data-review]");
      return () => review && !review.disabled && review.click();
    }
    if (event.altKey && (event.key === "PageUp" || event.key === "PageDown")) {
      return () => step(event.key === "PageUp" ? "previous" : "next");
    }
    return null;
  }

  function inField(event) {
    const { target } = event;
    if (event.key === "Escape" && target.matches("[data-editor] :is(textarea, prompts-text)")) {
      return () => target.closest("[data-editor]").querySelector("h2").focus();
    }
    if (target === page.finding.field && event.key === "ArrowDown") {
      return () => move(list.querySelector("[data-row] > :is(a, button)"));
    }
    if (target === page.finding.field && event.key === "Escape" && target.value) {
      return () => page.finding.clear();
    }
    if (target === page.finding.field && event.key === "Enter") {
      return () => list.querySelector("[data-row] > [data-key]")?.click();
    }
    if (event.key === "Enter" && target.matches("input")) {
      return () => page.asking.refresh();
    }
    return null;
  }

  document.addEventListener("keydown", (event) => {
    // What the text editor has made of a key is done.
    if (event.isComposing || event.defaultPrevented || document.querySelector("dialog[open]")) {
      return;
    }
    const isTyping = event.target.matches(FIELDS);
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const letter = isPlain && !isTyping && switcher.checked ? letters[event.key] : null;
    const act = withModifier(event) ?? (isTyping ? inField(event) : letter);
    if (act) {
      event.preventDefault();
      act();
    } else if (list.contains(event.target)) {
      inList(event);
    }
  });

  form.addEventListener("submit", (event) => {
    if (event.submitter?.matches("[data-discard]")) {
      event.preventDefault();
      event.stopImmediatePropagation();
      askDiscard();
    }
  }, { capture: true });

  function askDiscard() {
    const keys = page.typing.changedKeys();
    for (const said of question.querySelectorAll("[data-counted]")) {
      said.textContent = page.speaking.counted(said.dataset.counted, keys.length);
    }
    const names = keys.map((key) => {
      const item = document.createElement("li");
      item.textContent = page.typing.labelOf(key);
      return item;
    });
    question.querySelector("[data-names]").replaceChildren(...names);
    question.returnValue = "";
    question.showModal();
  }

  question.addEventListener("close", () => {
    if (question.returnValue === "discard") {
      page.drafts.forget(page.typing.changedKeys());
      page.typing.discard();
      page.asking.refresh();
    }
  });

  document.querySelector("[data-keyboard]").addEventListener("click", () => help.showModal());
  switcher.checked = page.kept(LETTERS) !== "off";
  switcher.addEventListener("change", () => page.keep(LETTERS, switcher.checked ? "on" : "off"));
  oneTabStop();
  return { oneTabStop };
}
