/** Of the system: where programs and files are, and in which language and time zone they speak. */
const systemNames =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TZDIR|TMPDIR|TEMP|TMP|LD_[A-Z_]+|DYLD_[A-Z_]+|MALLOC_[A-Z_]+|SYSTEMROOT)$/i;
/** Of Node.js and the libraries in it. */
const nodeNames =
  /^(NODE_(OPTIONS|ENV|EXTRA_CA_CERTS|ICU_DATA|V8_COVERAGE|COMPILE_CACHE)|SSL_CERT_(FILE|DIR)|OPENSSL_CONF|UV_THREADPOOL_SIZE)$/;

/**
 * What another program needs of an environment. Settings of the product, with their passwords and keys, are not in it:
 * who breaks into that program must not find them.
 */
export function programEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return pick(env, (name) => systemNames.test(name));
}

/** The same for a program of Node.js. */
export function nodeEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return pick(env, (name) => systemNames.test(name) || nodeNames.test(name));
}

function pick(env: NodeJS.ProcessEnv, isWanted: (name: string) => boolean): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isWanted(name)));
}
