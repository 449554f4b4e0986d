// What happens in a text box: what it holds, what its editor says of that, and
// changes that buttons make through the browser's own undo.

const PER_TEXT = /^(text|etag|shown):/;

export function begin(page) {
  const { form } = page;
  let lastBox = null;

  const fold = (text) => text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const boxes = () => [...form.querySelectorAll("[data-editor] textarea[data-saved]")];
  // A decision about a moved default is a change, even where it keeps the text.
  const isChanged = (box) =>
    !box.readOnly && ("settled" in box.dataset || fold(box.value) !== fold(box.dataset.saved));
  const keyOf = (box) => box.closest("[data-editor]").dataset.editor;
  const carried = () => [...form.querySelectorAll("[data-carried]")];

  function isUntouched(field) {
    const box = field.closest("[data-editor]")?.querySelector("textarea[data-saved]");
    return Boolean(box) && PER_TEXT.test(field.name) && !isChanged(box);
  }

  function changedKeys() {
    const typed = boxes().filter(isChanged).map(keyOf);
    return [...typed, ...carried().map((one) => one.dataset.carried)];
  }

  function update(box) {
    const editor = box.closest("[data-editor]");
    const text = fold(box.value);
    const isBlank = !text.trim();
    const isBeneath = text.trim() === fold(box.dataset.beneath).trim();
    sayLength(editor, text, box.dataset.saved);
    editor.querySelector("[data-badge-unsaved]").hidden = !isChanged(box);
    sayOff(editor, isBlank, isChanged(box));
    enable(editor, "_restore", !isBeneath);
    enable(editor, "_off", !isBlank);
    markRow(box, isBlank, isBeneath);
    count();
  }

  function sayLength(editor, text, saved) {
    const length = [...text].length;
    const delta = length - [...fold(saved)].length;
    const against = editor.querySelector("[data-delta]");
    editor.querySelector("[data-length]").textContent = page.speaking.counted("length", length);
    against.textContent = delta ? page.speaking.say("delta", { number: page.speaking.signed(delta) }) : "";
  }

  function sayOff(editor, isBlank, changed) {
    const notice = editor.querySelector("[data-off-notice]");
    if (notice) {
      notice.hidden = !isBlank;
      notice.textContent = changed ? notice.dataset.then : notice.dataset.now;
    }
  }

  function enable(editor, name, active) {
    const button = editor.querySelector(`button[name="${name}"]`);
    if (button) {
      button.disabled = !active;
    }
  }

  function markRow(box, isBlank, isBeneath) {
    const row = page.rowOf(keyOf(box));
    if (!row) {
      return;
    }
    const { off, builtIn } = form.dataset;
    const becomes = !isChanged(box) ? "" : isBeneath ? builtIn : isBlank ? off : "";
    const marks = marksOf(row, isChanged(box));
    if (marks) {
      marks.querySelector("[data-mark-unsaved]").hidden = !isChanged(box);
      marks.querySelector("[data-becomes]").hidden = !becomes;
      marks.querySelector("[data-state-to-come]").textContent = becomes;
    }
    const isQuiet = Boolean(becomes) || row.classList.contains("is-built-in");
    row.querySelector("[data-state]").classList.toggle("visually-hidden", isQuiet);
  }

  // A row has marks from when the first of them is needed: a list may be very long.
  function marksOf(row, isNeeded) {
    const marks = row.querySelector(".prompts-marks");
    if (isNeeded && !marks.querySelector("[data-becomes]")) {
      marks.prepend(document.getElementById("prompts-row-marks").content.cloneNode(true));
    }
    return marks.querySelector("[data-becomes]") && marks;
  }

  function markFaulty(box, isFaulty) {
    box.classList.toggle("is-faulty", isFaulty);
    if (isFaulty) {
      box.setAttribute("aria-invalid", "true");
    } else {
      box.removeAttribute("aria-invalid");
    }
    box.closest("[data-editor]").querySelector("[data-badge-error]").hidden = !isFaulty;
    const row = page.rowOf(keyOf(box));
    const mark = row && marksOf(row, isFaulty)?.querySelector("[data-mark-error]");
    if (mark && mark.hidden === isFaulty) {
      mark.hidden = !isFaulty;
      const counted = form.querySelector("[data-count=problems]");
      const number = Number(counted.textContent.replace(/\D/g, ""));
      counted.textContent = page.speaking.number(number + (isFaulty ? 1 : -1));
    }
  }

  function count() {
    const keys = changedKeys();
    const { length } = keys;
    const shown = form.querySelector("[data-count=unsaved]");
    if (shown) {
      shown.textContent = page.speaking.number(length);
    }
    const said = form.querySelector(".prompts-changes");
    if (!said) {
      return;
    }
    said.textContent = length ? page.speaking.counted("unsaved", length) : page.speaking.say("unchanged");
    form.querySelector("[data-review]").disabled = !length;
    form.querySelector("[data-discard]").disabled = !length;
    form.querySelector(".prompts-unsaved").replaceChildren(...keys.flatMap(link));
  }

  function link(key, place) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "prompts-link";
    button.dataset.key = key;
    button.textContent = labelOf(key);
    return place ? [", ", button] : [button];
  }

  function labelOf(key) {
    return (
      page.editorOf(key)?.dataset.label ??
      page.rowOf(key)?.querySelector("[data-key]").textContent.trim() ??
      key
    );
  }

  const replace = (box, text) => page.inserting.replace(page.writing.fieldOf(box), fold(text));

  function insertVariable(button) {
    const shown = form.querySelector("[data-editor][data-current] textarea[data-saved]");
    const own = button.closest("[data-editor]")?.querySelector("textarea[data-saved]");
    const box = own ?? shown ?? lastBox;
    if (box && !box.readOnly) {
      page.inserting.insert(page.writing.fieldOf(box), `{{${button.dataset.insert}}}`);
    }
  }

  function goToLine(button) {
    const box = button.closest("[data-editor]").querySelector("textarea[data-saved]");
    const field = page.writing.fieldOf(box);
    const { from, to } = button.dataset;
    field.focus();
    if (Number(to) > Number(from)) {
      field.setSelectionRange(Number(from), Number(to));
      return;
    }
    const lines = box.value.split("\n");
    const number = Math.min(Number(button.dataset.line), lines.length);
    const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
    field.setSelectionRange(start, start + lines[number - 1].length);
  }

  // Put every text back to what is saved, without leaving the page.
  function discard() {
    for (const one of carried()) {
      one.remove();
    }
    for (const box of boxes().filter(isChanged)) {
      page.writing.fill(box, box.dataset.saved);
      update(box);
    }
    count();
  }

  form.addEventListener("input", (event) => {
    const box = event.target;
    if (box.matches("[data-editor] textarea[data-saved]")) {
      update(box);
      page.drafts.keepSoon(box);
      page.asking.refreshSoon();
    }
  });

  form.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-editor] textarea[data-saved]")) {
      lastBox = event.target;
    }
  });

  // A press on a variable must not take the focus, and with it the caret, away.
  form.addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-insert]")) {
      event.preventDefault();
    }
  });

  return {
    boxes,
    changedKeys,
    discard,
    fold,
    goToLine,
    insertVariable,
    isChanged,
    isUntouched,
    keyOf,
    labelOf,
    markFaulty,
    replace,
    restore: (key) => replace(page.boxOf(key), page.boxOf(key).dataset.beneath),
    switchOff: (key) => replace(page.boxOf(key), ""),
    update,
    updateAll() {
      boxes().forEach(update);
      count();
    },
  };
}
