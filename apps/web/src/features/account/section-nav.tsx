import { useEffect, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { paths, withQuery } from '../../routing/paths.ts';
import { usersText } from '../../text/account/users.ts';
import styles from './user-info-page.module.css';

type Section = { name: string; title: string };

function findSection(name: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-section="${CSS.escape(name)}"]`);
}

/** The upper third of the screen below the top bar: a section in it counts as the current one. */
const readingBand = '-64px 0px -60% 0px';

/** Links to the sections and marks the current one. `?section=` in the address opens one. */
export function SectionNav({ sections }: { sections: Section[] }) {
  const [query] = useSearchParams();
  const wanted = query.get('section');
  // A different key for each navigation, so that a link works again when the address already names its section.
  const { key } = useLocation();
  const current = useCurrentSection(sections);

  useEffect(() => {
    if (wanted === null) return undefined;
    goTo(wanted);
    return keepInPlace(wanted);
  }, [wanted, key]);

  return (
    <nav className={styles.nav} aria-label={usersText.sections}>
      {sections.map(({ name, title }) => (
        <Link
          key={name}
          to={withQuery(paths.userInfo, { section: name })}
          replace
          className={`${styles.navLink} ${name === current ? styles.navCurrent : ''}`}
          aria-current={name === current ? 'location' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

function goTo(name: string): void {
  const section = findSection(name);
  section?.scrollIntoView({ block: 'start' });
  section?.focus({ preventScroll: true });
}

const userInputEvents = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/** Sections grow when their content loads. This keeps the wanted section in place until the user scrolls. */
function keepInPlace(name: string): () => void {
  const section = findSection(name);
  const observer = new ResizeObserver(() => section?.scrollIntoView({ block: 'start' }));
  if (section?.parentElement) observer.observe(section.parentElement);
  const moved = new AbortController();
  const stop = () => {
    observer.disconnect();
    moved.abort();
  };
  for (const move of userInputEvents) {
    window.addEventListener(move, stop, { passive: true, capture: true, signal: moved.signal });
  }
  return stop;
}

function useCurrentSection(sections: Section[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.name);
  useEffect(() => {
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const { section = '' } = (target as HTMLElement).dataset; // only sections are observed
          if (isIntersecting) seen.add(section);
          else seen.delete(section);
        }
        const first = sections.find(({ name }) => seen.has(name));
        if (first) setCurrent(first.name);
      },
      { rootMargin: readingBand },
    );
    for (const { name } of sections) {
      const section = findSection(name);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [sections]);
  return current;
}
