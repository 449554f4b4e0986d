// The page's own colours and measures: custom properties reach into a shadow tree.

import { EditorView } from "@codemirror/view";

const tinted = { background: "color-mix(in srgb, var(--pf-link) 16%, var(--pf-bg))", borderRadius: "3px" };
const wavy = (colour) => ({
  textDecoration: `underline wavy ${colour}`,
  textDecorationSkipInk: "none",
  textUnderlineOffset: "4px",
});

export const looks = EditorView.theme({
  "&": { flex: "1", minBlockSize: "0", color: "var(--pf-fg)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "auto" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--pf-loud)", minBlockSize: "94px", boxSizing: "border-box" },
  ".cm-line": { padding: "0 12px" },
  ".is-known": { ...tinted, color: "var(--pf-loud)", unicodeBidi: "isolate" },
  ".is-unknown": { ...wavy("var(--pf-error)"), unicodeBidi: "isolate" },
  // One line under a place is enough, whoever draws it.
  ".is-problem .is-unknown, .is-unknown .is-problem": { textDecoration: "none" },
  ".is-fence": { background: "var(--pf-tint)", color: "var(--pf-loud)", fontStyle: "italic" },
  ".is-problem": wavy("var(--pf-quiet)"),
  ".is-problem.is-warning": wavy("var(--pf-warn)"),
  ".is-problem.is-error": wavy("var(--pf-error)"),
  ".cm-tooltip.cm-tooltip-autocomplete": {
    border: "1px solid var(--pf-border)",
    borderRadius: "4px",
    background: "var(--pf-bg)",
    color: "var(--pf-fg)",
    overflow: "hidden",
    "& > ul": { fontFamily: "inherit", maxInlineSize: "min(560px, 95vw)", minInlineSize: "220px", maxHeight: "none", fontSize: "13px" },
    "& > ul > li": { display: "flex", flexWrap: "wrap", columnGap: "12px", padding: "4px 10px", lineHeight: "1.4" },
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--pf-link)", color: "var(--pf-bg)" },
  "@media (forced-colors: active)": {
    ".is-known": { outline: "1px solid" },
    ".is-fence": { borderBlock: "1px dashed" },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { outline: "2px solid", outlineOffset: "-2px" },
  },
  ".cm-completionLabel": { color: "inherit" },
  ".cm-completionMatchedText": { textDecoration: "underline" },
  ".cm-completionDetail": { margin: "0", fontStyle: "normal", fontFamily: "var(--font-family-primary, system-ui)" },
  ".is-example": { flexBasis: "100%", overflow: "hidden", textOverflow: "ellipsis", fontSize: "0.92em" },
  ".is-blank": { fontStyle: "italic" },
});
