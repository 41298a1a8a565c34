import { configure } from '@testing-library/react';

// Queries wait as long as a test may take, because a busy machine may render slowly.
configure({ asyncUtilTimeout: 15_000 });
