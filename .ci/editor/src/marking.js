// Problems that the server found, underlined where they stand.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

export const setProblems = StateEffect.define();

function marks(problems, { doc }) {
  const ranges = problems.flatMap(({ severity, from, to, text }) => {
    // Nothing wide, as a missing end, is shown on the character before it.
    const end = Math.min(Math.max(to, from + 1), doc.length);
    const start = Math.min(from, Math.max(end - 1, 0));
    const mark = Decoration.mark({ class: `is-problem is-${severity}`, attributes: { title: text } });
    return start < end ? [mark.range(start, end)] : [];
  });
  return Decoration.set(ranges, true);
}

export const marking = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    let marked = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setProblems)) {
        marked = marks(effect.value, transaction.state);
      }
    }
    return marked;
  },
  provide: (field) => EditorView.decorations.from(field),
});
