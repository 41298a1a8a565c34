type PrivateWord = {
  /** The standard word in its place. */
  standard: string;
  /** Where the word is the right one: phrases that contain it, and files about the thing that it names. */
  allowed?: { reason: string; phrase?: RegExp; files?: RegExp };
};

/** Words that readers of this code had to guess. The glossary has the standard word in place of each. */
const privateWords = new Map<string, PrivateWord>(
  Object.entries({
    stranger: { standard: 'anonymous client' },
    strangers: { standard: 'anonymous clients' },
    neighbour: { standard: 'other tenant' },
    neighbours: { standard: 'other tenants' },
    whoever: { standard: 'a client that, a user who' },
    told: { standard: 'notified, sent, shown, reported' },
    untold: { standard: 'pending' },
    tell: { standard: 'notify, send, report, publish; to tell apart: distinguish' },
    tells: { standard: 'notifies, sends, reports; tells apart: distinguishes' },
    telling: { standard: 'notifying, sending, reporting' },
    hears: { standard: 'receives, is notified' },
    heard: { standard: 'received, notified' },
    news: { standard: 'event' },
    forsaken: { standard: 'stale' },
    gone: {
      standard: 'deleted, ended, stale',
      allowed: { reason: 'the name of HTTP status 410, and a path that has it', phrase: /\b410 gone\b|\/gone\b/i },
    },
    arrival: {
      standard: 'the event that something was received or came online',
      allowed: { reason: 'an ordinary phrase of queues', phrase: /\border of arrival\b/i },
    },
    arrivals: { standard: 'warm-up, pending clients' },
    picture: {
      standard: 'image, screenshot, snapshot',
      allowed: { reason: 'the glossary calls the image of a captcha a picture', files: /captcha|docs\/glossary/ },
    },
    pictures: {
      standard: 'images, screenshots, snapshots',
      allowed: { reason: 'the glossary calls the image of a captcha a picture', files: /captcha|docs\/glossary/ },
    },
    council: { standard: 'coordinator' },
    'way in': { standard: 'sign-in method, entry point, access' },
    'ways in': {
      standard: 'sign-in methods, entry points',
      allowed: { reason: 'an ordinary phrase', phrase: /\bways in which\b/i },
    },
    nowMs: { standard: 'monotonicMs, wallClockMs' },
  } satisfies Record<string, PrivateWord>),
);

const anyWord = new RegExp(String.raw`\b(?:${[...privateWords.keys()].join('|')})\b`, 'gi');
const wordInName = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

export type FoundWord = { word: string; standard: string; index: number };

/** The private words of a text; `file` is the path of the file that it stands in. */
export function findPrivateWords(text: string, file: string): FoundWord[] {
  return [...text.matchAll(anyWord)].flatMap(({ 0: word, index }) => {
    const { standard = '', allowed } = privateWords.get(word.toLowerCase()) ?? privateWords.get(word) ?? {};
    const around = text.slice(Math.max(0, index - 30), index + word.length + 30);
    const isAllowed = allowed?.phrase?.test(around) === true || allowed?.files?.test(file) === true;
    return isAllowed ? [] : [{ word, standard, index }];
  });
}

/** The first private word among the parts of a name in camel case. */
export function findPrivateWordInName(name: string, file: string): FoundWord | undefined {
  const parts = privateWords.has(name) ? [name] : (name.match(wordInName) ?? []);
  return parts.flatMap((part) => findPrivateWords(part, file))[0];
}
