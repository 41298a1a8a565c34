/**
 * Invisible code points that are part of a visible character, such as the joiner between two emoji, the variation
 * selector after one, and the selector in a keycap.
 */
const insideCharacter = [
  String.raw`(?<=\p{Extended_Pictographic}[\u{FE0F}\p{Emoji_Modifier}]?)\u{200D}(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})[\u{FE0E}\u{FE0F}]`,
  // The tags that spell a regional flag (such as Scotland's), and the tag that ends it.
  String.raw`(?<=\u{1F3F4}[\u{E0061}-\u{E007A}]{0,6})[\u{E0061}-\u{E007A}\u{E007F}]`,
  // Variation selectors of Han characters: names are written with certain variants.
  String.raw`(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
  String.raw`(?<=[0-9#*])\u{FE0F}(?=\u{20E3})`,
].join('|');

/** Control characters, format characters (bidirectional ones among them), and characters without any glyph. */
const hidden = String.raw`(?!${insideCharacter})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]`;
const anyHidden = new RegExp(hidden, 'u');
const everyHidden = new RegExp(hidden, 'gu');

/** Whether a text has invisible characters, which may change how the rest of it reads. */
export function hasHiddenCharacters(text: string): boolean {
  return anyHidden.test(text);
}

/**
 * Removes invisible characters and replaces line ends, tabs and other control characters by spaces. It is for names
 * that come from devices and other services.
 */
export function withoutHiddenCharacters(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(everyHidden, '')
    .trim();
}

/** Whether a text has a visible character: spaces and lone combining marks do not count. */
export function showsSomething(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(withoutHiddenCharacters(text));
}
