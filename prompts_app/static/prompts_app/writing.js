// The text editor over a text area. The area stays the field of the form, and is what
// a switch goes back to; the editor comes when the area first has the focus. What is
// typed in either is in the other at once.

const PLAIN = "prompts_app:plain";
const TEXT = "[data-editor] textarea[data-saved]";

export function begin(page) {
  const { form } = page;
  const editors = new Map();
  const coming = new Set();
  const seen = new WeakMap();
  const switcher = document.querySelector("[data-plain]");
  const labels = { plain: switcher?.textContent, rich: switcher?.dataset.plain };
  let isPlain = page.kept(PLAIN) === "on";
  let isPressed = false;
  let isComposing = false;
  let isTelling = false;

  const fieldOf = (box) => editors.get(box) ?? box;
  const mayEnhance = (box) => !isPlain && !box.readOnly && !editors.has(box) && document.activeElement === box;
  const selectionOf = (box) => `${box.selectionStart} ${box.selectionEnd}`;

  async function enhance(box) {
    if (!mayEnhance(box) || coming.has(box)) {
      return;
    }
    coming.add(box);
    const text = box.value;
    try {
      const { create } = await import(form.dataset.textEditor);
      await settled();
      if (mayEnhance(box)) {
        mount(box, text, create);
      }
    } catch (error) {
      // The area does all that is needed.
      console.warn(error);
    } finally {
      coming.delete(box);
    }
  }

  // A press that is under way has not put the caret yet, and a composition must end
  // where it began.
  function settled() {
    return new Promise((resolve) => {
      const look = () => (isPressed || isComposing ? setTimeout(look, 20) : resolve());
      setTimeout(look);
    });
  }

  function mount(box, text, create) {
    const { selectionStart, selectionEnd, scrollTop } = box;
    const changed = (value) => tellBox(box, value);
    const editor = create({ text: page.typing.fold(text), words: page.speaking.words, changed });
    editors.set(box, editor);
    box.after(editor);
    box.classList.add("prompts-behind");
    box.tabIndex = -1;
    box.setAttribute("aria-hidden", "true");
    // What was typed while the editor was on its way can be undone in it.
    takeFrom(box);
    editor.know(variablesFor(box));
    speak(box);
    mark(box);
    editor.setSelectionRange(selectionStart, selectionEnd);
    editor.scrolled = scrollTop;
    seen.set(box, selectionOf(box));
    editor.focus();
  }

  function unmount(box) {
    const editor = editors.get(box);
    const hadFocus = document.activeElement === editor;
    const { selectionStart, selectionEnd } = editor;
    editors.delete(box);
    editor.remove();
    box.classList.remove("prompts-behind");
    box.removeAttribute("tabindex");
    box.removeAttribute("aria-hidden");
    box.setSelectionRange(selectionStart, selectionEnd);
    if (hadFocus) {
      box.focus();
    }
  }

  function tellBox(box, value) {
    box.value = value;
    seen.set(box, selectionOf(box));
    isTelling = true;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    isTelling = false;
  }

  function takeFrom(box) {
    const editor = editors.get(box);
    const { from, to, text } = page.inserting.difference(editor.value, box.value);
    if (from !== to || text) {
      editor.setRangeText(text, from, to, { silent: true });
    }
  }

  // Of the variables that the page lists, those of this text come with newer values.
  function variablesFor(box) {
    const buttons = [
      ...box.closest("[data-editor]").querySelectorAll("[data-legend] [data-insert]:not([data-unknown])"),
      ...document.querySelectorAll("#prompts-variables [data-insert]"),
    ];
    const rows = buttons.map(({ dataset: { insert: name, meaning, example } }) => [name, { name, meaning, example }]);
    return new Map(rows.reverse());
  }

  function speak(box) {
    const ids = box.getAttribute("aria-describedby").split(" ");
    const told = ids.map((id) => document.getElementById(id)?.textContent.replace(/\s+/g, " ").trim());
    editors.get(box).speak({
      label: box.labels[0]?.textContent.trim() ?? "",
      description: told.filter(Boolean).join(" "),
      isInvalid: box.classList.contains("is-faulty"),
    });
  }

  // A problem has a place, or is listed with a line, which is marked whole, or is one
  // of the whole text, which is not marked.
  // Until an answer comes, they are what is listed.
  function mark(box, problems = listed(box)) {
    editors.get(box).mark([...problems.filter(({ from, to }) => from < to), ...linesOf(box)]);
  }

  function listed(box) {
    const buttons = [...box.closest("[data-editor]").querySelectorAll("[data-problems] [data-line]")];
    return buttons.map((button) => ({
      severity: ["warning", "note"].find((one) => button.closest("li").matches(`.is-${one}`)) ?? "error",
      from: Number(button.dataset.from ?? 0),
      to: Number(button.dataset.to ?? 0),
      line: Number(button.dataset.line),
      text: button.parentElement.firstChild.textContent.trim(),
    }));
  }

  function linesOf(box) {
    const lines = box.value.split("\n");
    const unplaced = listed(box).filter(({ from, to }) => from >= to);
    return unplaced.map(({ line, text }) => {
      const number = Math.min(line, lines.length) - 1;
      const from = lines.slice(0, number).reduce((sum, one) => sum + one.length + 1, 0);
      return { severity: "error", from, to: from + lines[number].length, text };
    });
  }

  // What an answer said of a text. Its places are those of the text as it was asked
  // about; if that was changed since, another answer is on its way.
  function tell(box, text, problems) {
    if (editors.has(box)) {
      editors.get(box).know(variablesFor(box));
      speak(box);
      if (box.value === text) {
        mark(box, problems);
      }
    }
  }

  function fill(box, text) {
    box.value = text;
    if (editors.has(box)) {
      takeFrom(box);
    }
  }

  function sayWhich() {
    switcher.textContent = isPlain ? labels.rich : labels.plain;
  }

  form.addEventListener("focusin", ({ target }) => {
    if (target.matches("prompts-text")) {
      speak(target.previousElementSibling);
    } else if (editors.has(target)) {
      const editor = editors.get(target);
      const { selectionStart, selectionEnd } = target;
      editor.focus();
      // Who selects in the area and then gives it the focus means that selection.
      if (seen.get(target) !== selectionOf(target)) {
        editor.setSelectionRange(selectionStart, selectionEnd);
        seen.set(target, selectionOf(target));
      }
    } else if (target.matches(TEXT)) {
      enhance(target);
    }
  });

  // What else writes into the area, such as an extension of the browser, tells by this.
  form.addEventListener("input", ({ target }) => {
    if (!isTelling && editors.has(target)) {
      takeFrom(target);
    }
  }, { capture: true });

  for (const [name, value] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
    document.addEventListener(name, () => { isPressed = value; }, { capture: true });
  }
  for (const [name, value] of [["compositionstart", true], ["compositionend", false]]) {
    form.addEventListener(name, () => { isComposing = value; }, { capture: true });
  }

  if (switcher) {
    switcher.addEventListener("click", () => {
      isPlain = !isPlain;
      page.keep(PLAIN, isPlain ? "on" : null);
      sayWhich();
      [...editors.keys()].forEach(unmount);
    });
    sayWhich();
  }

  return { fieldOf, fill, tell };
}
