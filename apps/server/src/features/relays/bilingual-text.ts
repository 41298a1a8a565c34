import { type AppError, errorCatalogue } from '@tongtu/contract';

/** For the log of a program: both languages, with what is wrong with each field. */
export function bilingualText({ code, fields }: AppError): string {
  const given = Object.entries(fields ?? {}).flatMap(([name, texts]) =>
    texts.map(({ zh, en }, at) => (at === 0 ? { zh: `${name}：${zh}`, en: `${name}: ${en}` } : { zh, en })),
  );
  const texts = given.length > 0 ? given : [errorCatalogue[code]];
  return `${texts.map(({ zh }) => zh).join('；')} / ${texts.map(({ en }) => en).join('; ')}`;
}
