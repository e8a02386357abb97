// Runs on a site's first page: narrows its list of workloads to those whose names hold what the reader types.

const field = document.querySelector<HTMLInputElement>("#find");
const foundOf = document.querySelector("#found");
const families = [...document.querySelectorAll<HTMLDetailsElement>("details.family")];
const wereOpen = families.map((family) => family.open);

function find(text: string): void {
  let [found, all] = [0, 0];
  families.forEach((family, place) => {
    const workloads = [...family.querySelectorAll("li")];
    for (const workload of workloads)
      workload.hidden = !workload.innerText.toLowerCase().includes(text.toLowerCase());
    const left = workloads.filter(({ hidden }) => !hidden).length;
    [found, all] = [found + left, all + workloads.length];
    family.hidden = left === 0;
    family.open = text === "" ? (wereOpen[place] ?? false) : left > 0;
  });
  if (foundOf) foundOf.textContent = text === "" ? "" : `${found} of ${all}`;
}

if (field) {
  field.addEventListener("input", () => find(field.value.trim()));
  // A browser that goes back to the page may have kept the text.
  find(field.value.trim());
  // Without scripts there is no field that does nothing.
  field.closest("p")?.removeAttribute("hidden");
}
