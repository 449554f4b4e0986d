// Changes that buttons make in a text box: through the browser's own undo, and only
// where the text really differs.

// What a browser takes grows with the lines that go in times those that are there:
// with this many it is a good part of a second, and without its undo next to nothing.
const MOST = 40_000;

const lines = (text) => text.split("\n").length;
const isHalf = (text, place) => /[\uD800-\uDBFF]/.test(text[place - 1] ?? "");

export function insert(box, text) {
  box.focus();
  // The text editor has an undo of its own.
  if (box.matches("prompts-text")) {
    box.setRangeText(text, box.selectionStart, box.selectionEnd);
    return;
  }
  const isSmall = lines(text) * (lines(box.value) + lines(text)) <= MOST;
  if (!isSmall || !document.execCommand(text ? "insertText" : "delete", false, text)) {
    box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

// Where two texts differ: from, to and what stands there in the new one.
export function difference(old, text) {
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old[start] === text[start]) {
    start += 1;
  }
  start -= isHalf(old, start) ? 1 : 0;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === text.at(-1 - end)) {
    end += 1;
  }
  end -= isHalf(old, old.length - end) ? 1 : 0;
  return { from: start, to: old.length - end, text: text.slice(start, text.length - end) };
}

export function replace(box, text) {
  const old = box.value;
  if (old !== text) {
    const changed = difference(old, text);
    box.focus();
    box.setSelectionRange(changed.from, changed.to);
    insert(box, changed.text);
  }
}

export const begin = () => ({ difference, insert, replace });
