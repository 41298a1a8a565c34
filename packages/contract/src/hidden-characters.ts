/** Parts of what is seen: between two pictures, after one, or between a sign and its key. */
const insideCharacter = [
  String.raw`(?<=\p{Extended_Pictographic}[\u{FE0F}\p{Emoji_Modifier}]?)\u{200D}(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})[\u{FE0E}\u{FE0F}]`,
  // A flag of a part of a country: its letters, and what ends them.
  String.raw`(?<=\u{1F3F4}[\u{E0061}-\u{E007A}]{0,6})[\u{E0061}-\u{E007A}\u{E007F}]`,
  // The shape that a name is written with.
  String.raw`(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
  String.raw`(?<=[0-9#*])\u{FE0F}(?=\u{20E3})`,
].join('|');

/** Control and format characters, among them those that turn the direction of what follows, and what shows nothing. */
const hidden = String.raw`(?!${insideCharacter})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]`;
const anyHidden = new RegExp(hidden, 'u');
const everyHidden = new RegExp(hidden, 'gu');

/** Whether there is something in a text that is not seen and may change how what is around it reads. */
export function hasHiddenCharacters(text: string): boolean {
  return anyHidden.test(text);
}

/** The text as it is seen; line ends, tabs and other control characters are spaces then. For names that machines and other services bring along. */
export function withoutHiddenCharacters(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(everyHidden, '')
    .trim();
}

/** Whether there is more than spaces and marks upon nothing. */
export function showsSomething(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(withoutHiddenCharacters(text));
}
