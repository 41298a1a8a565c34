import { type CompositionEvent, useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';

/** The pause in typing after which the search starts. */
const typingPauseMs = 200;

export type SearchText = {
  /** The text in the field. */
  typed: string;
  /**
   * The text that is searched: the typed text after a pause, and never an unfinished composition of an input method.
   */
  search: string;
  setTyped: (text: string) => void;
  /** Searches this text without a pause. */
  searchFor: (text: string) => void;
  composition: Record<'onCompositionStart' | 'onCompositionEnd', (event: CompositionEvent) => void>;
};

/**
 * The search as `?q=` of the URL, so that it survives Back and a reload. A URL with `?domain=` searches that mapping.
 */
export function useSearchText(): SearchText {
  const [parameters, setParameters] = useSearchParams();
  const domain = parameters.get('domain') ?? '';
  const inAddress = parameters.get('q') ?? domain;
  const [seen, setSeen] = useState(inAddress);
  const [search, setSearch] = useState(inAddress);
  const [typed, setTyped] = useState(inAddress);
  const [isComposing, setIsComposing] = useState(false);
  if (inAddress !== seen) {
    setSeen(inAddress);
    // The URL changes shortly after the search. Any other change of it comes from a link or from Back.
    if (inAddress !== search) {
      setSearch(inAddress);
      setTyped(inAddress);
    }
  }

  function searchFor(text: string) {
    setTyped(text);
    setSearch(text);
    setParameters(
      (query) => {
        if (text === '' && domain === '') query.delete('q');
        else query.set('q', text);
        return query;
      },
      { replace: true },
    );
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
