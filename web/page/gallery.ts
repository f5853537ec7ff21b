// The catalogue: pictures, names, one-line rules; search.

import { byId, el } from "./dom";
import type { Model } from "./types";

function words(model: Model): string {
  return [model.name, ...model.aliases, model.about].join(" ").toLowerCase().replaceAll("-", " ");
}

export function gallery(models: Model[]): void {
  const cards = models.map((model) => {
    const picture = model.boards.length > 0;
    const image = el("img", { src: `pictures/${model.name}.svg`, alt: "", loading: "lazy", width: 180, height: 136 });
    const link = el(
      "a",
      { href: `#/${model.name}` },
      picture && image,
      el("b", {}, model.name.replaceAll("-", " ")),
      model.aliases.length > 0 && el("span", {}, `also ${model.aliases.join(", ")}`),
      el("span", {}, model.about),
    );
    return { model, card: el("li", {}, link) };
  });
  const list = byId("cards");
  list.replaceChildren(...cards.map((one) => one.card));
  const search = byId<HTMLInputElement>("search");
  const filter = () => {
    const wanted = search.value.toLowerCase().replaceAll("-", " ").split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { model, card } of cards) {
      const all = words(model);
      card.hidden = !wanted.every((word) => all.includes(word));
      found += Number(!card.hidden);
    }
    byId("found").textContent = wanted.length > 0 ? `${found} of ${cards.length} puzzles` : `${cards.length} puzzles`;
  };
  search.addEventListener("input", filter);
  filter();
}
