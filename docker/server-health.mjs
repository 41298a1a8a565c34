/** Succeeds while relay, server and database answer. */
const port = process.env.PORT || '8080';
const response = await fetch(`http://127.0.0.1:${port}/api/login_status/`, { signal: AbortSignal.timeout(8_000) });
process.exit(response.ok ? 0 : 1);
