import { useEffect, useState } from "preact/hooks";
import { DARK, LIGHT, type Theme } from "../charts/chart";

/** Light or dark, as the system says; paper is white. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState(current);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => setTheme(current());
    const print = (): void => setTheme(LIGHT);
    query.addEventListener("change", follow);
    addEventListener("beforeprint", print);
    addEventListener("afterprint", follow);
    return () => {
      query.removeEventListener("change", follow);
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", follow);
    };
  }, []);
  return theme;
}

function current(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches && !matchMedia("print").matches ? DARK : LIGHT;
}
