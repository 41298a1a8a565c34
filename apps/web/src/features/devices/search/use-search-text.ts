import { useSearchParams } from 'react-router';
import { type SearchDraft, useSearchDraft } from '../../../ui/fields/use-search-draft.ts';

/**
 * The search as `?q=` of the URL, so that it survives Back and a reload. A URL with `?domain=` searches that mapping.
 */
export function useSearchText(): SearchDraft {
  const [parameters, setParameters] = useSearchParams();
  const domain = parameters.get('domain') ?? '';
  return useSearchDraft(parameters.get('q') ?? domain, (text) =>
    setParameters(
      (query) => {
        if (text === '' && domain === '') query.delete('q');
        else query.set('q', text);
        return query;
      },
      { replace: true },
    ),
  );
}
