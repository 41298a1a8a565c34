import type { EndpointKey, endpoints, Reply, RequestBody, RequestQuery } from '@tongtu/contract';

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

type ParamsPart<Key extends EndpointKey> = [PathNames<Key>] extends [never]
  ? unknown
  : { params: Record<PathNames<Key>, number> };
type QueryPart<Key extends EndpointKey> = RequestQuery<Key> extends undefined ? unknown : { query: RequestQuery<Key> };
type BodyPart<Key extends EndpointKey> = RequestBody<Key> extends undefined ? unknown : { body: RequestBody<Key> };

export type CallOptions = { signal?: AbortSignal; timeoutMs?: number };

/** What a call needs besides its name, read from the endpoint table. */
type CallInput<Key extends EndpointKey> = ParamsPart<Key> & QueryPart<Key> & BodyPart<Key> & CallOptions;

/** Only calls without parameters may leave their input out. */
type CallArguments<Key extends EndpointKey> =
  CallOptions extends CallInput<Key> ? [input?: CallInput<Key>] : [input: CallInput<Key>];

/** Throws ApiError. */
export type Call = <Key extends EndpointKey>(key: Key, ...rest: CallArguments<Key>) => Promise<Reply<Key>>;

/** The calls of browsers that the contract marks as raw. */
export type RawKey = {
  [Key in EndpointKey]: (typeof endpoints)[Key] extends { raw: true } ? Key : never;
}[EndpointKey];
