// Variables, offered after two braces, or anywhere on demand.

import { pickedCompletion } from "@codemirror/autocomplete";

import { variables } from "./naming.js";

const BEGUN = /\{\{[^\S\n]*(\w*)$/;
const CLOSED = /^(\w*)([^\S\n]*\}\})/;

function complete(context) {
  const begun = context.matchBefore(BEGUN);
  if (!begun && !context.explicit) {
    return null;
  }
  const from = begun ? context.pos - begun.text.match(BEGUN)[1].length : context.pos;
  const options = [...context.state.field(variables).values()].map(({ name, meaning, example }) => ({
    label: name,
    detail: meaning,
    example,
    apply: (view, picked, start, end) => put(view, picked, start, end, Boolean(begun)),
  }));
  return { from, options, validFor: /^\w*$/ };
}

// Braces that are there already are kept, and the caret goes behind them. What is left
// of the name before them is replaced with the rest of it.
function put(view, picked, from, to, isBegun) {
  const { doc } = view.state;
  const closed = isBegun ? doc.sliceString(to, doc.lineAt(to).to).match(CLOSED) : null;
  const insert = `${isBegun ? "" : "{{"}${picked.label}${closed?.[2] ?? "}}"}`;
  view.dispatch({
    changes: { from, to: to + (closed?.[0].length ?? 0), insert },
    selection: { anchor: from + insert.length },
    userEvent: "input.complete",
    annotations: pickedCompletion.of(picked),
  });
}

function example(words) {
  return ({ example: value }) => {
    const shown = document.createElement("span");
    shown.className = "is-example";
    shown.dir = "auto";
    shown.textContent = value || words.blank;
    shown.classList.toggle("is-blank", !value);
    return shown;
  };
}

export const completing = (words) => ({
  override: [complete],
  icons: false,
  // Nothing is chosen until an arrow chooses it, so Enter stays a line feed.
  selectOnOpen: false,
  interactionDelay: 0,
  // As many as need no scrolling: a list that scrolls would have to take the focus.
  maxRenderedOptions: 5,
  addToOptions: [{ render: example(words), position: 90 }],
});
