import type { EndpointKey, endpoints, Reply, RequestBody, RequestQuery } from '@tongtu/contract';

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

type ParamsPart<Key extends EndpointKey> = [PathNames<Key>] extends [never]
  ? unknown
  : { params: Record<PathNames<Key>, number> };
type QueryPart<Key extends EndpointKey> =
  RequestQuery<Key> extends undefined ? unknown : { query: SpecifiedQuery<RequestQuery<Key>> };
/** The specification's calls of cloud apps carry `format=json` (§7), which programs may leave out. */
type SpecifiedQuery<Query> = 'format' extends keyof Query ? Query & { format: 'json' } : Query;
type BodyPart<Key extends EndpointKey> = RequestBody<Key> extends undefined ? unknown : { body: RequestBody<Key> };

export type CallOptions = { signal?: AbortSignal; timeoutMs?: number };

/** The input of a call, derived from the endpoint table. */
type CallInput<Key extends EndpointKey> = ParamsPart<Key> & QueryPart<Key> & BodyPart<Key> & CallOptions;

/** Only calls without parameters may omit their input. */
type CallArguments<Key extends EndpointKey> =
  CallOptions extends CallInput<Key> ? [input?: CallInput<Key>] : [input: CallInput<Key>];

/** Throws ApiError. */
export type Call = <Key extends EndpointKey>(key: Key, ...rest: CallArguments<Key>) => Promise<Reply<Key>>;

/** Calls that browsers make without this client; the contract marks them as raw. */
export type RawKey = {
  [Key in EndpointKey]: (typeof endpoints)[Key] extends { raw: true } ? Key : never;
}[EndpointKey];
