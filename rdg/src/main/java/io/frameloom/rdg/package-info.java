/** The render dependency graph: declare, compile, execute, explain. */
@NullMarked
package io.frameloom.rdg;

import org.jspecify.annotations.NullMarked;
