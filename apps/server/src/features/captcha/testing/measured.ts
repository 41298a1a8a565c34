export { drawChallenge, type Drawing } from '../drawing/draw-challenge.ts';
export { type GivenAnswer, judgeAnswer } from '../judging/judge-answer.ts';
