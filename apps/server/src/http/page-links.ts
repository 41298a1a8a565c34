type Page = { limit: number; offset: number };

/** Links to the next and the previous page of a list. All other query parameters stay. */
export function pageLinks(
  path: string,
  { limit, offset, ...filters }: Page & Record<string, number | string | undefined>,
  count: number,
): { next: string | null; previous: string | null } {
  const link = (at: number): string => {
    const query = Object.entries({ limit, offset: at, ...filters }).flatMap<[string, string]>(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return `${path}?${new URLSearchParams(query).toString()}`;
  };
  const after = offset + limit;
  return {
    next: after < count ? link(after) : null,
    previous: offset > 0 ? link(Math.max(0, offset - limit)) : null,
  };
}
