import type { ServerToRelay } from '@tongtu/contract';

export type ServerMessage<Type extends ServerToRelay['type']> = Extract<ServerToRelay, { type: Type }>;
