// What is chosen beside the preview: its scenario, level and form, its sample values,
// and what of it is shown.

const HIDDEN = "prompts_app:show-";

export function begin(page) {
  const { form } = page;
  const samples = document.getElementById("prompts-samples");
  const edited = new Map();

  form.addEventListener("input", (event) => {
    if (event.target.name?.startsWith("value:")) {
      page.asking.refreshSoon();
    }
  });

  // Edited sample values belong to their scenario, and are there again with it.
  async function changeScenario() {
    const before = samples.querySelector("input[name=values_of]").value;
    page.keepAddress({ scenario: form.querySelector("#prompts-scenario").value });
    edited.set(before, new Map(sampleFields().filter(isEdited).map((field) => [field.name, field.value])));
    await page.asking.refresh({ withSamples: true });
    const shown = samples.querySelector("input[name=values_of]").value;
    const kept = edited.get(shown);
    // Another answer may be on its way, or none may have come.
    if (kept?.size && shown === form.querySelector("#prompts-scenario").value) {
      for (const field of sampleFields()) {
        field.value = kept.get(field.name) ?? field.value;
      }
      await page.asking.refresh();
    }
  }

  const sampleFields = () => [...samples.querySelectorAll("[data-original]")];
  const isEdited = (field) => !page.asking.isOriginal(field);

  form.addEventListener("change", (event) => {
    if (event.target.matches("#prompts-scenario")) {
      changeScenario();
    } else if (event.target.matches("#prompts-level, #prompts-show")) {
      page.keepAddress({ [event.target.name]: event.target.value });
      page.asking.refresh();
    } else if (event.target.matches("[data-show]")) {
      page.keep(HIDDEN + event.target.dataset.show, event.target.checked ? null : "off");
      hide(event.target);
    }
  });

  const hide = (box) => form.toggleAttribute(`data-hide-${box.dataset.show}`, !box.checked);

  // Marks and names that were switched off stay so, here and on the next visit.
  for (const box of form.querySelectorAll("[data-show]")) {
    box.checked = page.kept(HIDDEN + box.dataset.show) !== "off";
    hide(box);
  }

  return {
    playScenario(key) {
      form.querySelector("#prompts-scenario").value = key;
      changeScenario();
    },
    resetSamples() {
      for (const field of sampleFields()) {
        field.value = field.dataset.original;
      }
      page.asking.refresh();
    },
  };
}
