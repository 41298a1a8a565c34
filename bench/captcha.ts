/**
 * What a captcha costs to draw, and how often scripts get through: by guessing, and by the tricks that anybody would try
 * first on the pictures. Every attack is given a trail that passes, so that only the answers count.
 * Prints JSON. `node bench/captcha.ts [tries] [drawings]`
 */
import { type Drawing, drawChallenge, type GivenAnswer, judgeAnswer } from '@tongtu/server/testing/captcha';
import { findParts, partsInAnyOrder, templateMatch } from './captcha-attacks/click-attacks.ts';
import { type Pixels, readPixels } from './captcha-attacks/pixels.ts';
import { rimCorrelation, symmetry } from './captcha-attacks/rotate-attacks.ts';
import { darkest, edgeThenSurroundings, mostAlike, type Place, strongestEdge } from './captcha-attacks/tile-attacks.ts';

const types = ['click', 'slide', 'drag', 'rotate'] as const;
const ELAPSED_MS = 10_000;
/** Guesses cost nothing: with fewer pictures, more of them for each. */
const MIN_GUESSES = 10_000;
const PICTURE = { width: 300, height: 220 };
const HOLES = { slide: 5, drag: 8 };
const GAP_PIXELS = 18;
const turns = [-40, -30, -20, -10, 0, 10, 20, 30, 40].map((degrees) => (degrees * Math.PI) / 180);

type Answer = GivenAnswer;
type Attacks = Record<string, Answer>;
const upTo = (max: number) => Math.random() * max;

/** A way to (x, y) as a hand goes it: slower at the end, not quite straight. */
function trailTo(x: number, y: number) {
  return Array.from({ length: 25 }, (_, i) => {
    const share = 1 - (1 - i / 24) ** 2;
    return { x: x * share, y: y * share + Math.sin(i) * (i < 24 ? 1 : 0), t: i * 31 + (i % 3) };
  });
}

const clicked = (places: Place[]): Answer => ({
  type: 'click',
  dots: places.map(({ x, y }, i) => ({ index: i + 1, x, y, t: i * 700 })),
});
const moved = (type: 'slide' | 'drag', { x, y }: Place): Answer => ({ type, x, y, trail: trailTo(x, y) });
const turned = (angle: number): Answer => ({ type: 'rotate', angle, trail: trailTo(angle / 1.5, 0) });

async function attack(drawing: Drawing): Promise<Attacks> {
  const picture = await readPixels(drawing.image);
  const thumb = await readPixels(drawing.thumb);
  switch (drawing.type) {
    case 'click':
      return attackClick(picture, thumb);
    case 'rotate':
      return {
        'rim correlation': turned(rimCorrelation(picture, thumb, GAP_PIXELS)),
        symmetry: turned(symmetry(thumb)),
      };
    case 'slide':
    case 'drag':
      return attackTile(drawing, picture, thumb);
  }
}

function attackClick(picture: Pixels, thumb: Pixels): Attacks {
  return {
    'parts, largest first': clicked(findParts(picture, 4)),
    'parts, any order': clicked(partsInAnyOrder(picture, Math.random)),
    'template match': clicked(templateMatch(picture, thumb, [0])),
    'template match, nine turns (not naive)': clicked(templateMatch(picture, thumb, turns)),
  };
}

function attackTile(drawing: Extract<Drawing, { thumbX: number }>, picture: Pixels, tile: Pixels): Attacks {
  const { type, thumbY } = drawing;
  const task = { picture, tile, rowY: type === 'slide' ? thumbY : undefined };
  return {
    darkest: moved(type, darkest(task, 1)),
    lightest: moved(type, darkest(task, -1)),
    'strongest edge': moved(type, strongestEdge(task)),
    'template match': moved(type, mostAlike(task)),
    'edge, then surroundings (not naive)': moved(type, edgeThenSurroundings(task, HOLES[type])),
  };
}

/** A guess that knows the sizes and nothing of the picture. */
function guess(drawing: Drawing): Answer {
  switch (drawing.type) {
    case 'click':
      return clicked(Array.from({ length: 4 }, () => ({ x: upTo(PICTURE.width), y: upTo(PICTURE.height) })));
    case 'rotate':
      return turned(upTo(360));
    case 'slide':
    case 'drag': {
      const { type, thumbY, thumbWidth, thumbHeight } = drawing;
      const y = type === 'slide' ? thumbY : upTo(PICTURE.height - thumbHeight);
      return moved(type, { x: upTo(PICTURE.width - thumbWidth), y });
    }
  }
}

/** Shares of right answers; of the gentle kinds two in a row are needed, so the square of it gets a ticket. */
async function successRates(type: (typeof types)[number], tries: number): Promise<Record<string, number>> {
  const passed: Record<string, number> = { random: 0 };
  const isRight = ({ answer }: Drawing, given: Answer) => judgeAnswer(answer, given, ELAPSED_MS);
  const guesses = Math.ceil(MIN_GUESSES / tries);
  for (let i = 0; i < tries; i++) {
    const drawing = await drawChallenge(type);
    for (let n = 0; n < guesses; n++)
      if (isRight(drawing, guess(drawing))) passed['random'] = (passed['random'] ?? 0) + 1 / guesses;
    for (const [name, answer] of Object.entries(await attack(drawing))) {
      passed[name] = (passed[name] ?? 0) + (isRight(drawing, answer) ? 1 : 0);
    }
  }
  return Object.fromEntries(Object.entries(passed).map(([name, count]) => [name, Number((count / tries).toFixed(5))]));
}

/** CPU of the whole process, the encoder's threads included. */
async function drawingCost(type: (typeof types)[number], drawings: number) {
  const costs: number[] = [];
  for (let i = 0; i < drawings; i++) {
    const before = process.cpuUsage();
    await drawChallenge(type);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  costs.sort((a, b) => a - b);
  const at = (share: number) => Number((costs[Math.floor(share * costs.length)] ?? 0).toFixed(1));
  return { p50: at(0.5), p95: at(0.95) };
}

const tries = Number(process.argv[2] ?? 10_000);
const drawings = Number(process.argv[3] ?? 500);
const report: Record<string, unknown> = {};
for (const type of types) {
  await drawingCost(type, 50); // warm
  report[type] = { cpuMs: await drawingCost(type, drawings), passed: await successRates(type, tries) };
  console.error(type, JSON.stringify(report[type])); // it takes minutes
}
console.log(JSON.stringify({ tries, ...report }, null, 2));
