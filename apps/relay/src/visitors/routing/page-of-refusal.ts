import type { HttpRefusal } from '../../codecs/http/http-refusal.ts';
import type { PageKind } from '../../pages/page-texts.ts';

const pages: Record<HttpRefusal['status'], PageKind> = {
  400: 'bad-request',
  405: 'method-not-allowed',
  414: 'target-too-long',
  431: 'head-too-long',
  501: 'not-supported',
  505: 'version-not-supported',
};

/** The page for a visitor whose request cannot be forwarded. */
export function pageOfRefusal(refusal: HttpRefusal): PageKind {
  return refusal.cookies !== undefined ? 'cookies-too-long' : pages[refusal.status];
}
