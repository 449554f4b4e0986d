// The keys of a text area. Tab is not among them: it always moves on, and Enter is a
// line feed and no more.

import {
  cursorCharLeft, cursorCharRight, cursorDocEnd, cursorDocStart, cursorGroupLeft,
  cursorGroupRight, cursorLineBoundaryBackward, cursorLineBoundaryForward,
  cursorLineBoundaryLeft, cursorLineBoundaryRight, cursorLineDown, cursorLineUp,
  cursorPageDown, cursorPageUp, deleteCharBackward, deleteCharForward,
  deleteGroupBackward, deleteGroupForward, deleteLineBoundaryBackward,
  deleteLineBoundaryForward, insertNewline, selectAll, selectCharLeft, selectCharRight,
  selectDocEnd, selectDocStart, selectGroupLeft, selectGroupRight,
  selectLineBoundaryBackward, selectLineBoundaryForward, selectLineBoundaryLeft,
  selectLineBoundaryRight, selectLineDown, selectLineUp, selectPageDown, selectPageUp,
} from "@codemirror/commands";

const moves = [
  ["ArrowLeft", "", cursorCharLeft, selectCharLeft],
  ["ArrowRight", "", cursorCharRight, selectCharRight],
  ["Ctrl-ArrowLeft", "Alt-ArrowLeft", cursorGroupLeft, selectGroupLeft],
  ["Ctrl-ArrowRight", "Alt-ArrowRight", cursorGroupRight, selectGroupRight],
  ["", "Cmd-ArrowLeft", cursorLineBoundaryLeft, selectLineBoundaryLeft],
  ["", "Cmd-ArrowRight", cursorLineBoundaryRight, selectLineBoundaryRight],
  ["ArrowUp", "", cursorLineUp, selectLineUp],
  ["ArrowDown", "", cursorLineDown, selectLineDown],
  ["", "Cmd-ArrowUp", cursorDocStart, selectDocStart],
  ["", "Cmd-ArrowDown", cursorDocEnd, selectDocEnd],
  ["PageUp", "", cursorPageUp, selectPageUp],
  ["PageDown", "", cursorPageDown, selectPageDown],
  ["Home", "", cursorLineBoundaryBackward, selectLineBoundaryBackward],
  ["End", "", cursorLineBoundaryForward, selectLineBoundaryForward],
  ["Mod-Home", "", cursorDocStart, selectDocStart],
  ["Mod-End", "", cursorDocEnd, selectDocEnd],
];

const changes = [
  ["Enter", "", insertNewline, insertNewline],
  ["Backspace", "", deleteCharBackward, deleteCharBackward],
  ["Delete", "", deleteCharForward],
  ["Ctrl-Backspace", "Alt-Backspace", deleteGroupBackward],
  ["Ctrl-Delete", "Alt-Delete", deleteGroupForward],
  ["", "Cmd-Backspace", deleteLineBoundaryBackward],
  ["", "Cmd-Delete", deleteLineBoundaryForward],
  ["Mod-a", "", selectAll],
];

// The second name is that on a Mac, where it differs.
function binding([key, mac, run, shift]) {
  return { ...(key ? { key } : {}), ...(mac ? { mac } : {}), run, shift, preventDefault: true };
}

export const keys = [...moves, ...changes].map(binding);
