/**
 * Letters and digits of other scripts that look like Latin ones: the entries of Unicode's confusables.txt (UTS 39) for
 * letters and digits of the scripts of living languages, without those that NFKC already replaces. Names here are Chinese,
 * so Katakana that looks like a Chinese character is in it as well.
 */
const lookAlikes: readonly (readonly [string, string])[] = [
  ['2', 'ƧϨᒿꙄꝚ'],
  ['3', 'ƷȜЗӠⳌꝪꞫ'],
  ['4', 'Ꮞ'],
  ['5', 'Ƽ'],
  ['6', 'бᏮⳒ'],
  ['8', 'Ȣȣ৪੪'],
  ['9', '৭੧୨൭ⳊꝮ'],
  ['A', 'ΑАᎪᗅꓮ'],
  ['B', 'ΒВᏴᗷꓐꞴ'],
  ['C', 'СᏟⲤꓚ'],
  ['D', 'Ꭰᗞᗪꓓ'],
  ['E', 'ΕЕᎬⴹꓰ'],
  ['F', 'ϜᖴꓝꞘ'],
  ['G', 'ԌᏀᏳꓖ'],
  ['H', 'ΗНᎻᕼⲎꓧ'],
  ['J', 'ͿЈᎫᒍꓙꞲ'],
  ['K', 'ΚКᏦⲔꓗ'],
  ['L', 'ᏞᒪⳐꓡ'],
  ['M', 'ΜϺМᎷᗰⲘꓟ'],
  ['N', 'ΝⲚꓠ'],
  ['O', 'ΟОՕ০ଠ୦ዐⲞⵔ〇ꓳ'],
  ['P', 'ΡРᏢᑭⲢꓑ'],
  ['Q', 'ⵕ'],
  ['R', 'ƦᎡᏒᖇꓣ'],
  ['S', 'ЅՏᏕᏚꓢ'],
  ['T', 'ΤТᎢⲦꓔ'],
  ['U', 'Սሀᑌꓴ'],
  ['V', 'Ѵ۷Ꮩᐯⴸꓦ'],
  ['W', 'ԜᎳᏔꓪ'],
  ['X', 'ΧХⲬⵝꓫꞳ'],
  ['Y', 'ΥУҮᎩᎽⲨꓬ'],
  ['Z', 'ΖᏃꓜ'],
  ['a', 'ɑαа'],
  ['b', 'ƄЬᏏᑲᖯ'],
  ['c', 'сᴄⲥꮯ'],
  ['d', 'ԁᏧᑯꓒ'],
  ['e', 'еҽꬲ'],
  ['f', 'քẝꞙꬵ'],
  ['g', 'ƍɡցᶃ'],
  ['h', 'һհᏂ'],
  ['i', 'ıɩɪιіӏᎥꙇꭵ'],
  ['j', 'ϳј'],
  ['l', 'ƖǀΙІӀ۱Ⲓⵏꓲ'],
  ['n', 'ոռ'],
  ['o', 'οσоօ۵०੦૦௦౦೦ഠ൦๐໐ဝ၀ჿᴏᴑⲟꬽ'],
  ['p', 'ρрⲣ'],
  ['q', 'ԛգզ'],
  ['r', 'гᴦⲅꭇꭈꮁ'],
  ['s', 'ƽѕꜱꮪ'],
  ['u', 'ʋυսᴜꞟꭎꭒ'],
  ['v', 'νѵᴠꮩ'],
  ['w', 'ɯѡԝաᴡꮃ'],
  ['x', 'хᕁᕽ'],
  ['y', 'ɣʏγуүყᶌỿꭚ'],
  ['z', 'ᴢꮓ'],
  // Small letters that look like a capital, or nearly like a letter.
  ['b', 'вβßʙ'],
  ['e', 'εєᴇ'],
  ['h', 'нʜ'],
  ['k', 'κкᴋĸ'],
  ['l', 'ʟ'],
  ['m', 'мᴍ'],
  ['n', 'ηпɴ'],
  ['t', 'τтᴛ'],
  ['x', 'χ'],
  // The small capitals that no line above has.
  ['a', 'ᴀ'],
  ['d', 'ᴅ'],
  ['f', 'ꜰ'],
  ['g', 'ɢ'],
  ['j', 'ᴊ'],
  ['p', 'ᴘ'],
  ['q', 'ꞯ'],
  ['r', 'ʀ'],
  ['工', 'エ'],
  ['力', 'カ'],
  ['夕', 'タ'],
  ['卜', 'ト'],
  ['二', 'ニ'],
  ['八', 'ハ'],
  ['口', 'ロ'],
  ['一', 'ー'],
];
const asciiOf = new Map(
  lookAlikes.flatMap(([ascii, letters]) => [...letters].map((letter) => [letter, ascii] as const)),
);

/** Accents on a letter of Europe's scripts. In other scripts such marks are vowels. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu;

/** The skeleton of a text (UTS 39): equal for texts that look alike. It is only to be compared, never shown. */
export function skeletonOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(accents, '')
    .replaceAll(/\P{ASCII}/gu, (letter) => asciiOf.get(letter) ?? letter)
    .toLowerCase()
    .replaceAll(/\P{ASCII}/gu, (letter) => asciiOf.get(letter) ?? letter)
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll(/[1i|]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .normalize('NFC');
}
