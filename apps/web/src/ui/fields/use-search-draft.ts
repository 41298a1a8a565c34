import { type CompositionEvent, useEffect, useEffectEvent, useState } from 'react';

/** The pause in typing after which the search starts. */
const typingPauseMs = 200;

export type SearchDraft = {
  /** The text in the field. */
  typed: string;
  /** The text that is searched: the typed text after a pause, and never an unfinished composition of an input method. */
  search: string;
  setTyped: (text: string) => void;
  /** Searches this text without a pause. */
  searchFor: (text: string) => void;
  composition: Record<'onCompositionStart' | 'onCompositionEnd', (event: CompositionEvent) => void>;
};

/**
 * What is typed into a search field, and what is searched. `onSearch` stores the search; `stored` returns it, possibly
 * later, because an address changes only after the router's loaders.
 */
export function useSearchDraft(stored: string, onSearch: (text: string) => void): SearchDraft {
  const [seen, setSeen] = useState(stored);
  const [search, setSearch] = useState(stored);
  const [typed, setTyped] = useState(stored);
  const [isComposing, setIsComposing] = useState(false);
  if (stored !== seen) {
    setSeen(stored);
    // It changes shortly after the search. Any other change of it comes from a link or from Back.
    if (stored !== search) {
      setSearch(stored);
      setTyped(stored);
    }
  }

  function searchFor(text: string) {
    setTyped(text);
    setSearch(text);
    onSearch(text);
  }

  const searchTyped = useEffectEvent(() => searchFor(typed));
  useEffect(() => {
    if (isComposing || typed === search) return;
    const timer = setTimeout(() => searchTyped(), typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed, search, isComposing]);

  return {
    typed,
    search,
    setTyped,
    searchFor,
    composition: {
      onCompositionStart: () => setIsComposing(true),
      onCompositionEnd: () => setIsComposing(false),
    },
  };
}
