// Problems that the server found, underlined where they stand.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

export const setProblems = StateEffect.define();

function marks(problems, { doc }) {
  const ranges = problems.flatMap(({ severity, from, to, text }) => {
    const end = Math.min(to, doc.length);
    const mark = Decoration.mark({ class: `is-problem is-${severity}`, attributes: { title: text } });
    return from < end ? [mark.range(from, end)] : [];
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
