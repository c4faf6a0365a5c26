/** Checks of devices with many queues of a kind: rings, storms, hand-overs between families, adoption. */
@org.jspecify.annotations.NullMarked
package io.frameloom.stress.gpu.queues;
