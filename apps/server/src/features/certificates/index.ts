export { readEdge } from './read-edge.ts';
