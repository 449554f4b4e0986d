// The list: what is looked for, and which states are shown. The server finds, so
// texts that are not on the page are found as well.

const DELAY = 200;

export function begin(page) {
  const { form } = page;
  const listing = document.getElementById("prompts-listing");
  const field = document.getElementById("prompts-q");
  const state = form.querySelector("input[name=state]");
  let timer = 0;
  let asking = null;

  async function refresh() {
    clearTimeout(timer);
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    try {
      const told = await page.asking.list(mine.signal);
      if (asking === mine) {
        const pressed = document.activeElement?.dataset?.filter;
        listing.innerHTML = told.list;
        page.markRow(page.current.value);
        page.keys.oneTabStop();
        page.keepAddress({ q: field.value.trim() || null, state: state.value || null });
        if (pressed !== undefined) {
          listing.querySelector(`[data-filter="${pressed}"]`)?.focus();
        }
      }
    } catch (error) {
      page.asking.failed(error);
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, DELAY);
  });

  return {
    field,
    refresh,
    isNarrowed: () => Boolean(field.value.trim() || state.value),
    narrow(code) {
      state.value = state.value === code ? "" : code;
      return refresh();
    },
    clear() {
      field.value = "";
      field.focus();
      return refresh();
    },
  };
}
