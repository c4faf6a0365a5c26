/**
 * The lock-free parts of the task graph, each a small class of its own. Not exported.
 *
 * <h2>Conventions</h2>
 *
 * <p>Algorithms call fields through accessors whose suffix or prefix names the memory order, never
 * through a bare {@code VarHandle}: {@code xxxPlain}, {@code xxxOpaque}, {@code xxxAcquire},
 * {@code xxxVolatile} read; {@code xxxSetRelease}, {@code xxxSetVolatile} write; {@code casXxx} is a
 * compare-and-set and {@code getAndAddXxx}, {@code getAndSetXxx} are read-modify-writes with volatile
 * semantics. A store-then-load handshake (publish, then look whether somebody sleeps) needs a full
 * fence between the two; each class says where its fence is.
 */
@NullMarked
package io.frameloom.taskgraph.internal;

import org.jspecify.annotations.NullMarked;
