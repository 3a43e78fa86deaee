import { useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { tellProblem } from "~/shared/alerts/alerts";
import { useSend } from "~/shared/api/send";
import { useCatalogueLists } from "~/shared/catalogue/lists";
import { type RecentSearch, useRecentSearches } from "~/shared/catalogue/recent-searches";
import { withoutSymbols } from "~/shared/forms/validation";
import { useBusiness, useSession } from "~/shared/session/session";
import { SearchIcon } from "~/shared/ui/pictures/icons";
import { VehicleMenu } from "~/shared/vehicles/search/vehicle-menu";
import { addressOf, type ProductQuery, pageSizeOf, searchAddress, wantedIn } from "./address";
import { RecentSearches } from "./parts/search/recent-searches";
import { ALL, keptBy, typeOf } from "./parts/search/search-type";
import { SearchType } from "./parts/search/search-type-select";
import { SUGGESTIONS_ID, Suggestions, suggestionId } from "./parts/search/suggestions";
import { useSuggestions } from "./parts/search/use-suggestions";
import { productsQuery } from "./queries";
import { remember } from "./remember";
import classes from "./top-search.module.css";

/** The search of every page: a term, what to search in, and what was searched for lately. */
export default function TopSearch() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const lists = useCatalogueLists();
  const recent = useRecentSearches();
  const now = useSession();
  const { term, setTerm, type, setType, reset } = useTyped();
  const [focused, setFocused] = useState(false);
  const { busy, send } = useSend({
    alert: (problem) => {
      reset();
      void tellProblem(problem);
    },
  });
  const box = useRef<HTMLInputElement>(null);
  const present = usePresent();
  const suggests = useSuggestions(focused ? term.trim() : "", keptBy(type, present));
  const shows = focused && term === "" && recent.length > 0;

  /** A term that stands for one product leads straight to it. A failed search resets the form (shop spec 7). */
  async function run(wanted: ProductQuery) {
    const userId = now.state === "anonymous" ? "guest" : now.user.id;
    setFocused(false);
    await send(async () => {
      const found = wanted.term
        ? await queries.fetchQuery(productsQuery(wanted, pageSizeOf(userId)))
        : undefined;
      if (found) remember(wanted, lists, found.totalCount);
      if (found?.match)
        await navigate({
          to: "/product/{-$id}",
          params: { id: found.match },
          search: { sku: wanted.term },
        });
      else await navigate({ to: "/search", search: addressOf(wanted) });
    });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const chosen = document.activeElement === box.current ? suggests.active : undefined;
    if (chosen) void open(chosen.id);
    else void run({ ...present, ...keptBy(type, present), page: 1, term: term.trim() });
  }

  async function open(id: string) {
    setFocused(false);
    await navigate({ to: "/product/{-$id}", params: { id } });
  }

  function again(entry: RecentSearch) {
    const { categorySelected, brandSelected } = entry;
    void run({
      ...wantedIn({}),
      term: entry.name,
      categories: categorySelected ? [categorySelected.slug] : [],
      brands: brandSelected ? [brandSelected.slug] : [],
    });
  }

  function onKey(event: KeyboardEvent) {
    if (event.key === "Escape" && (shows || suggests.products.length > 0)) {
      setFocused(false);
      box.current?.focus();
      setFocused(false);
    }
  }

  return (
    <search className={classes.row}>
      <div className={classes.inner}>
        <form
          className={classes.form}
          onSubmit={submit}
          onKeyDown={onKey}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false);
          }}
        >
          <SearchType value={type} lists={lists} onChange={setType} />
          <input
            ref={box}
            type="text"
            enterKeyHint="search"
            autoComplete="off"
            role="combobox"
            aria-expanded={suggests.products.length > 0}
            aria-controls={SUGGESTIONS_ID}
            aria-autocomplete="list"
            aria-activedescendant={suggests.active ? suggestionId(suggests.active.id) : undefined}
            maxLength={120}
            aria-label={t`Search products or SKUs`}
            placeholder={t`Search products or SKUs`}
            value={term}
            onChange={(event) => {
              setTerm(withoutSymbols(event.currentTarget.value));
              setFocused(true);
            }}
            onKeyDown={(event) => {
              if (suggests.move(event.key)) event.preventDefault();
            }}
            onFocus={() => setFocused(true)}
            onClick={() => setFocused(true)}
          />
          <button type="submit" aria-label={t`Search`} aria-busy={busy}>
            <SearchIcon />
          </button>
          {shows ? (
            <RecentSearches
              entries={recent}
              onChoose={again}
              onRemoved={() => box.current?.focus()}
            />
          ) : null}
          <Suggestions
            products={suggests.products}
            active={suggests.active?.id}
            onChoose={(id) => void open(id)}
          />
        </form>
        <VehicleMenu />
      </div>
    </search>
  );
}

/** What the search page asks for now; elsewhere nothing. */
function usePresent(): ProductQuery {
  const { path, search } = useRouterState({
    select: ({ location }) => ({ path: location.pathname, search: location.search }),
  });
  return wantedIn(path === "/search" ? searchAddress(search) : {});
}

/**
 * What stands in the form: that of the address on the search page, empty after leaving search and product pages, and there
 * with another business (shell spec 4).
 */
function useTyped() {
  const { path, asked } = useRouterState({
    select: ({ location }) => ({ path: location.pathname, asked: location.searchStr }),
  });
  const [term, setTerm] = useState("");
  const [type, setType] = useState(ALL);
  const keeps = path.startsWith("/product");
  const search = useRouterState({ select: ({ location }) => location.search });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the search stands for the object
  useEffect(() => {
    if (path === "/search") {
      const wanted = wantedIn(searchAddress(search));
      setTerm(wanted.term);
      setType(typeOf(wanted));
    } else if (!keeps) {
      reset();
    }
  }, [path, asked, keeps]);
  const business = useBusiness()?.code;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has its own rule
  useEffect(() => {
    if (path !== "/search") reset();
  }, [business]);
  return { term, setTerm, type, setType, reset };

  function reset() {
    setTerm("");
    setType(ALL);
  }
}
