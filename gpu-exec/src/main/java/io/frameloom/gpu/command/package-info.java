/** Command lists, what they declare, and the queues that execute them. */
@NullMarked
package io.frameloom.gpu.command;

import org.jspecify.annotations.NullMarked;
