export type VectorPaint = { kind: 'plain' };
