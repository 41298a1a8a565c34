import type { Language } from '@tongtu/contract';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** Chinese is first, so clients that accept any language (`*`) get it. */
const languages: Language[] = ['zh', 'en'];

/** The tags for `Content-Language` (RFC 9110 §8.5). */
export const languageTags = { zh: 'zh-CN', en: 'en' } as const satisfies Record<Language, string>;

/** The language that the client asks for by `Accept-Language` (RFC 9110 §12.5.4), Chinese by default. */
export function replyLanguage(req: Pick<FastifyRequest, 'headers'>): Language {
  return (new Negotiator(req).language(languages) as Language | undefined) ?? 'zh'; // returns one of `languages`
}
