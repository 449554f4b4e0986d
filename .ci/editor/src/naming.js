// References and level fences: which names are known is what the page says.

import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, Direction, EditorView, ViewPlugin } from "@codemirror/view";

// White space as Python knows it, so that no reference is tinted that stays as typed.
const SPACE = "[\\t\\v\\f\\r\\x1c-\\x1f \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*";
const REFERENCE = new RegExp(`\\{\\{${SPACE}([a-z][a-z0-9_]*)${SPACE}\\}\\}`, "g");
const FENCE = new RegExp(`^${SPACE}<!-- /?detailed -->${SPACE}$`);

export const setVariables = StateEffect.define();

export const variables = StateField.define({
  create: () => new Map(),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setVariables)) {
        return effect.value;
      }
    }
    return value;
  },
});

// Each line finds its own direction, as in a text area that has dir=auto.
const line = Decoration.line({ attributes: { dir: "auto" } });
const fence = Decoration.line({ attributes: { dir: "auto" }, class: "is-fence" });
const known = Decoration.mark({ class: "is-known", bidiIsolate: Direction.LTR });

function decorations(view, unknown) {
  const builder = new RangeSetBuilder();
  const names = view.state.field(variables);
  let done = -1;
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const { from: start, to: end, text } = view.state.doc.lineAt(at);
      at = end + 1;
      // Of a very long line several pieces may be visible.
      if (start <= done) {
        continue;
      }
      done = start;
      builder.add(start, start, FENCE.test(text) ? fence : line);
      for (const found of text.matchAll(REFERENCE)) {
        const place = start + found.index;
        builder.add(place, place + found[0].length, names.has(found[1]) ? known : unknown);
      }
    }
  }
  return builder.finish();
}

export function naming(words) {
  const unknown = Decoration.mark({
    class: "is-unknown",
    attributes: { title: words.unknown },
    bidiIsolate: Direction.LTR,
  });
  const plugin = ViewPlugin.define(
    (view) => ({
      decorations: decorations(view, unknown),
      update(update) {
        const isTold = update.startState.field(variables) !== update.state.field(variables);
        if (update.docChanged || update.viewportChanged || isTold) {
          this.decorations = decorations(update.view, unknown);
        }
      },
    }),
    {
      decorations: (one) => one.decorations,
      provide: (one) =>
        EditorView.bidiIsolatedRanges.of((view) => view.plugin(one)?.decorations ?? Decoration.none),
    },
  );
  return [variables, plugin, EditorView.perLineTextDirection.of(true)];
}
