package io.frameloom.samples.frame;

import java.util.Locale;

/** By which shaders meshlets are drawn. */
public enum MeshletForm {
    /** By vertex shaders: compute shaders make the arguments of a draw for each meshlet. */
    VERTEX,
    /** By task shaders, which start a mesh shader for each meshlet. */
    MESH;

    /** Returns the name in small letters. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
