/** What is wrong with a graph, all of it at once, and the order of passes that follows from versions. */
@NullMarked
package io.frameloom.rdg.compile.validate;

import org.jspecify.annotations.NullMarked;
