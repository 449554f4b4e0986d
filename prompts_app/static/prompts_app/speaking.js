// Words with numbers in them. The page brings them, in every plural form of its
// language and with the rule that chooses one; this file holds none.

export function speaker(json) {
  const words = JSON.parse(json);
  const period = words.plurals.length;
  const separator = words.thousand.slice(1, -3);
  const isRtl = document.documentElement.dir === "rtl";

  const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, separator);

  // Without the mark a sign would stand behind its number.
  function signed(value) {
    const sign = value > 0 ? "+" : "−";
    return `${isRtl ? "\u200e" : ""}${sign}${number(Math.abs(value))}`;
  }

  function fill(template, values) {
    return template.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
  }

  return {
    words,
    number,
    signed,
    say: (name, values = {}) => fill(words[name], values),
    counted(name, count, values = {}) {
      const half = period / 2;
      const form = words.plurals[count < period ? count : half + (count % half)];
      return fill(words[name][form], { number: number(count), ...values });
    },
  };
}

export const begin = (page) => speaker(page.form.dataset.words);
