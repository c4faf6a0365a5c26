/** Tasks with prerequisites on named threads and prioritised workers. */
@NullMarked
package io.frameloom.taskgraph;

import org.jspecify.annotations.NullMarked;
