/** What is rendered: meshes, materials, draws, lights and a camera as pure functions of time, and its simulation. */
@NullMarked
package io.frameloom.samples.scene;

import org.jspecify.annotations.NullMarked;
