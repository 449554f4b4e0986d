// The text editor of the page of fragments: CodeMirror in an element of its own.
//
// To the page it looks like a text area: value, selection, setRangeText and focus.
// It never changes a text by itself: no indenting, no closing of braces, no trimming.

import { autocompletion } from "@codemirror/autocomplete";
import { history, isolateHistory, redo, undo } from "@codemirror/commands";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

import { completing } from "./completing.js";
import { keys } from "./keys.js";
import { looks } from "./looks.js";
import { marking, setProblems } from "./marking.js";
import { naming, setVariables } from "./naming.js";

const isSilent = Annotation.define();

// An empty selection copies nothing, as in a text area; CodeMirror takes the line.
const copyOnlyWhatIsSelected = EditorView.domEventHandlers({
  copy: stopIfEmpty,
  cut: stopIfEmpty,
});

function stopIfEmpty(event, view) {
  const { empty } = view.state.selection.main;
  if (empty) {
    event.preventDefault();
  }
  return empty;
}

class PromptsText extends HTMLElement {
  #view;
  #spoken = { label: "", description: "", isInvalid: false };
  #description = document.createElement("p");

  begin({ text, words, changed }) {
    const root = this.attachShadow({ mode: "open" });
    this.#description.hidden = true;
    this.#description.id = "description";
    root.append(this.#description);
    const attributes = () => this.#attributes();
    const state = EditorState.create({
      doc: text,
      extensions: [
        history(),
        autocompletion(completing(words)),
        keymap.of([
          { key: "Mod-z", run: undo, preventDefault: true },
          { key: "Mod-y", mac: "Mod-Shift-z", run: redo, preventDefault: true },
          { key: "Ctrl-Shift-z", run: redo, preventDefault: true },
          ...keys,
        ]),
        EditorState.phrases.of({ Completions: words.completions }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of(attributes),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((one) => one.annotation(isSilent))) {
            changed(this.value);
          }
        }),
        copyOnlyWhatIsSelected,
        naming(words),
        marking,
        looks,
      ],
    });
    this.#view = new EditorView({ state, parent: root, root });
  }

  // Descriptions cannot point out of a shadow tree, so theirs is written into it.
  #attributes() {
    const { label, description, isInvalid } = this.#spoken;
    return {
      "aria-label": label,
      ...(description ? { "aria-describedby": this.#description.id } : {}),
      ...(isInvalid ? { "aria-invalid": "true" } : {}),
      spellcheck: "true",
      autocorrect: "on",
      autocapitalize: "sentences",
      writingsuggestions: "true",
    };
  }

  speak(spoken) {
    this.#spoken = spoken;
    this.#description.textContent = spoken.description;
    this.#view.dispatch({});
  }

  know(variables) {
    this.#view.dispatch({ effects: setVariables.of(variables) });
  }

  mark(problems) {
    this.#view.dispatch({ effects: setProblems.of(problems) });
  }

  get value() {
    return this.#view.state.doc.toString();
  }

  get selectionStart() {
    return this.#view.state.selection.main.from;
  }

  get selectionEnd() {
    return this.#view.state.selection.main.to;
  }

  setSelectionRange(start, end) {
    const { length } = this.#view.state.doc;
    const selection = { anchor: Math.min(start, length), head: Math.min(end, length) };
    this.#view.dispatch({ selection, scrollIntoView: true });
  }

  // One step of the undo, whatever was typed just before. A silent one is not told.
  setRangeText(text, from, to, { silent = false } = {}) {
    this.#view.dispatch({
      changes: { from, to, insert: text },
      selection: { anchor: from + this.#view.state.toText(text).length },
      scrollIntoView: true,
      userEvent: "input",
      annotations: [isolateHistory.of("full"), ...(silent ? [isSilent.of(true)] : [])],
    });
  }

  focus() {
    this.#view.focus();
  }

  get scrolled() {
    return this.#view.scrollDOM.scrollTop;
  }

  set scrolled(top) {
    this.#view.scrollDOM.scrollTop = top;
  }

  disconnectedCallback() {
    this.#view.destroy();
  }
}

customElements.define("prompts-text", PromptsText);

export function create(options) {
  const element = document.createElement("prompts-text");
  element.begin(options);
  return element;
}
