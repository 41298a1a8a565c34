import { skeletonOf } from '@tongtu/base';

/** Parts of a name, between signs and digits, that only the service has. */
const words = [
  ...['admin', 'admins', 'administrator', 'administrators', 'superadmin', 'sysadmin', 'superuser', 'root'],
  ...['support', 'official', 'system', 'security', 'helpdesk', 'moderator', 'webmaster', 'hostmaster', 'postmaster'],
  ...['customerservice', 'tongtu', 'kefu', 'guanfang', 'guanliyuan'],
];
/** Whole names: as a part they may belong to anybody. */
const wholeNames = ['service', 'services', 'help', 'staff', 'operator', 'console', 'billing', 'noreply', 'everyone'];
/** However the name goes on, it says whose it is. */
const ends = ['admin', 'administrator', 'tongtu'];
/** Anywhere in a name, with the traditional characters. */
const chinese = /通途|管理[员者人]|超[级管]管|超管|客服|官方|站[长务]|系统(?:通知|消息|管理|公告|$)/u;

const wordSkeletons = new Set(words.map(skeletonOf));
const wholeSkeletons = new Set([...words, ...wholeNames].map(skeletonOf));
const endSkeletons = ends.map(skeletonOf);
const simplified: Record<string, string> = { 員: '员', 統: '统', 級: '级', 長: '长', 務: '务', 系統: '系统' };

/** What may stand between the letters of a name, with letters that look like signs (ʼ ˈ ー). */
const signs = /[_.\-\p{Lm}]+/gu;
const signsOrDigits = /[_.\-\p{Lm}\d]+/u;
const signsOrScripts = /[_.\-\p{Lm}]+|(?<=\p{Script=Han})(?=\P{Script=Han})|(?<=\P{Script=Han})(?=\p{Script=Han})/u;

/**
 * Whether other people could take the name for the service's, in whatever letters: 通途管理员, `support`, `аdmin` with a
 * Cyrillic letter, `adm1n`, `r00t`.
 */
export function isServiceName(name: string): boolean {
  const text = name.normalize('NFKC').replaceAll(/[員統級長務]/gu, (character) => simplified[character] ?? character);
  if (chinese.test(text.replaceAll(signs, ''))) return true;
  // Digits may stand for letters, or be added to a word.
  const parts = text.split(signs);
  const withoutDigits = text.split(signsOrDigits);
  const latinParts = text.split(signsOrScripts);
  if ([...parts, ...withoutDigits, ...latinParts].some((part) => wordSkeletons.has(skeletonOf(part)))) return true;
  const wholes = [text, text.replaceAll(signs, ''), withoutDigits.join('')].map(skeletonOf);
  return wholes.some(
    (whole) => wholeSkeletons.has(whole) || endSkeletons.some((end) => whole.startsWith(end) || whole.endsWith(end)),
  );
}
