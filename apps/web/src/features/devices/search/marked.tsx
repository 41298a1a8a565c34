import { createContext, use } from 'react';
import styles from './search.module.css';
import { splitByPattern } from './search-pattern.ts';

/** The pattern that is searched on this screen; undefined for none. */
export const SearchedPattern = createContext<RegExp | undefined>(undefined);

/** A text whose matches with the search are highlighted. */
export function Marked({ text }: { text: string }) {
  const pattern = use(SearchedPattern);
  if (pattern === undefined) return text;
  return splitByPattern(text, pattern).map((part, index) =>
    part.isMatch ? (
      <mark key={index} className={styles.mark}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
