// Objects that QuickJS lacks and the pictures need. They must be loaded before Plot, which looks for it as it is loaded.

/** Thousands apart, as in English. */
function apart(value: number): string {
  const [whole = "", part] = String(value).split(".");
  const thousands = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return part === undefined ? thousands : `${thousands}.${part}`;
}

class NumberFormat {
  format(value: number): string {
    return apart(value);
  }
}

class DateTimeFormat {
  format(date: Date): string {
    return date.toISOString();
  }
}

const nothing = (): void => undefined;
const lacking = {
  Intl: { NumberFormat, DateTimeFormat },
  console: { log: nothing, warn: nothing, error: nothing },
};
for (const [name, stand] of Object.entries(lacking)) {
  if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value: stand });
}

export {};
