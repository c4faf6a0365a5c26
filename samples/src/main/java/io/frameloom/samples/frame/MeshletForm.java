package io.frameloom.samples.frame;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import java.util.Locale;

/** By which shaders meshlets are drawn. */
public enum MeshletForm {
    /** By mesh shaders where the device has them, else by vertex shaders. */
    AUTO,
    /** By vertex shaders: compute shaders make the arguments of a draw for each meshlet. */
    VERTEX,
    /** By task shaders, which start a mesh shader for each meshlet. */
    MESH;

    /** Returns MESH or VERTEX, whichever AUTO means on a device. */
    MeshletForm on(DeviceCapabilities capabilities) {
        return this != AUTO ? this : capabilities.has(Capability.MESH_SHADERS) ? MESH : VERTEX;
    }

    /** Returns the name in small letters. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
