// What QuickJS lacks and the pictures need. This must be loaded before Plot, which looks for it as it is loaded.

/** Thousands apart, as in English. */
function apart(of: number): string {
  const [whole = "", part] = String(of).split(".");
  const thousands = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return part === undefined ? thousands : `${thousands}.${part}`;
}

class NumberFormat {
  format(of: number): string {
    return apart(of);
  }
}

class DateTimeFormat {
  format(of: Date): string {
    return of.toISOString();
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
// There it is the same as toString.
Number.prototype.toLocaleString = function (this: number): string {
  return apart(this.valueOf());
};

export {};
